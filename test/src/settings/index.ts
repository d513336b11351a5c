import './environment.test.js'
import './warnings.test.js'
