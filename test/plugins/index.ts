import './env.test.js'
import './merchants.test.js'
import './signer.test.js'
