import t from 'tap'
import { portsFrom } from '../../examples/ports.js'

t.strictSame(portsFrom(), [8080, 8081, 8082])
t.strictSame(portsFrom('9000'), [9000, 9001, 9002])
t.strictSame(portsFrom('0'), [0, 0, 0])
