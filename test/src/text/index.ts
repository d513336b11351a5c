import './characters.test.js'
import './json-file.test.js'
