import { get } from 'node:http'

/*
 * Health check of the image. Exits with 0 if the service is ready, and fails otherwise. Reads the variables of the
 * service, which serves its probes at ADMIN_PORT, too.
 */

const { ADMIN_PORT, PORT } = process.env
get(`http://127.0.0.1:${ADMIN_PORT || PORT || 3001}/ready`, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
