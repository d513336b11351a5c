import './request.test.js'
import './variant.test.js'
import './verify.test.js'
