import './admin.test.js'
import './line-writer.test.js'
import './metrics.test.js'
import './readiness.test.js'
