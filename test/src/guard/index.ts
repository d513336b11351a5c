import './irregularities.test.js'
import './policy.test.js'
import './strict.test.js'
