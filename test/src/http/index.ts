import './client-address.test.js'
import './errors.test.js'
import './json-body.test.js'
