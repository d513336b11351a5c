import './policy-schema.test.js'
import './policy.test.js'
import './strict.test.js'
