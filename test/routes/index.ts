import './generate-signature.test.js'
import './openapi.test.js'
