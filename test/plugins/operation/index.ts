import './admin.test.js'
import './metrics.test.js'
import './readiness.test.js'
