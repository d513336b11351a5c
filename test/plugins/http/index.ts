import './connections.test.js'
import './protocol-errors.test.js'
import './responses.test.js'
