import t from 'tap'
import { addressOf, clientKey } from '../../../src/http/client-address.js'

t.test('the address of a client, and the key under which it is counted', async t => {
  for (const [ip, address, key] of [
    ['192.0.2.1', '192.0.2.1', 'address:192.0.2.1'],
    ['192.0.2.1:5001', '192.0.2.1', 'address:192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1', 'address:192.0.2.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1::1', 'address:2001:db8:0:1::'],
    ['2001:DB8:0:1:ffff::2', '2001:DB8:0:1:ffff::2', 'address:2001:db8:0:1::'],
    ['[2001:db8::1]:5001', '2001:db8::1', 'address:2001:db8::'],
    ['[2001:db8::1]', '2001:db8::1', 'address:2001:db8::'],
    ['fe80::1%eth0.100', 'fe80::1', 'address:fe80::'],
    ['unknown', 'unknown', 'address:unknown'],
    ['', 'unknown', 'address:unknown']
  ] as const) t.strictSame([addressOf(ip), clientKey(ip)], [address, key], ip)
})
