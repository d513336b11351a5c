/*
 * Health check of the image. Exits with 0 if the service is ready, and fails otherwise. Reads the variables of the
 * service, which serves its probes at both ports.
 */

const { ADMIN_PORT, PORT } = process.env
const { status } = await fetch(`http://127.0.0.1:${ADMIN_PORT || PORT || 3001}/ready`)
process.exitCode = status === 200 ? 0 : 1
