import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { proxied } from '../support/documented.js'
import { freePorts } from '../support/free-port.js'
import { startProxy, without } from '../support/proxies.js'
import { replaceFile } from '../support/replace-file.js'
import { send } from '../support/send.js'
import { listening, server } from '../support/server.js'

process.umask(0o077)

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const newToken = () => randomBytes(24).toString('hex')

interface Shop {
  name: string
  account: string
  variant: 'A' | 'B'
  token: string
  key: string
}

const shopOf = (_value: unknown, index: number): Shop => ({
  name: `shop-${index}`, account: String(100_000 + index), variant: index % 2 === 0 ? 'A' : 'B', token: newToken(), key: newToken()
})

const fields = { amount: '100.00', orderId: 'O-1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }

/** The signature of the specification, part 4.2, for these fields and a purchase. */
function signatureOf ({ account, variant }: Shop, token: string): string {
  const { amount, orderId, sid, clientTimeStamp: time } = fields
  return variant === 'A'
    ? `${digest(`${time}${sid}${amount}`)}///${digest(`${time}${orderId}${token}${account}${amount}`)}`
    : `${digest(`${time}${sid}${amount}${orderId}`)}///${digest(`${time}${token}${account}${amount}${orderId}`)}`
}

const options = { skip: without('nginx'), timeout: 300_000 }
t.test('a platform with 500 merchants behind nginx adds, replaces, blocks and breaks merchants under load', options, async t => {
  const folder = t.testdir()
  const shops = Array.from({ length: 500 }, shopOf)
  const blocked = new Set<Shop>()
  const replace = (name: string, content: string) => replaceFile(join(folder, name), content)
  const writeMerchants = () => replace('merchants.json', JSON.stringify({
    merchants: shops.map(({ name, account, variant, token }) => ({ name, accountNumbers: [account], variant, token }))
  }))
  const writePolicy = () => replace('policy.json', JSON.stringify({
    callers: shops.filter(shop => !blocked.has(shop)).map(({ name, key, account }) =>
      ({ name, apiKeySha256: digest(key), operations: ['purchase'], accountNumbers: [account] }))
  }))
  writeMerchants()
  writePolicy()
  const ports = await freePorts()
  const instances = ([[3001, 9461], [3002, 9462]] as const).map(([port, admin]) => server(t, {
    PORT: String(ports[port]), ADMIN_PORT: String(ports[admin]), MERCHANTS_FILE: 'merchants.json', POLICY_FILE: 'policy.json'
  }, { cwd: folder }))
  for (const one of instances) await one.says(listening)
  const proxy = await startProxy(t, 'nginx', proxied.nginx, ports)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  t.teardown(() => agent.destroy())

  const changing = new Set<Shop>()
  const failures: string[] = []
  const state = { isStopped: false, signed: 0 }
  t.teardown(() => { state.isStopped = true })
  async function ask (shop: Shop): Promise<string> {
    const headers = { authorization: `Bearer ${shop.key}` }
    const request = JSON.stringify({ ...fields, accountNumber: shop.account })
    const { statusCode, body } = await send(proxy.port, { agent, headers, body: request })
    return statusCode === 200 ? JSON.parse(body).signature : `${statusCode} ${body}`
  }
  async function client (first: number): Promise<void> {
    for (let index = first; !state.isStopped; index = (index + 7) % shops.length) {
      const shop = shops[index]!
      const { token } = shop
      const answer = await ask(shop).catch(String)
      if (changing.has(shop)) continue // its own checks are below
      if (answer === signatureOf(shop, token)) state.signed++
      else failures.push(`${shop.name}: ${answer}`)
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, (_, index) => client(index * 60)))

  /** Reloads all files in both instances, and resolves when their logs have a text once more. */
  async function reload (text: RegExp): Promise<void> {
    await Promise.all(instances.map(async one => {
      const seen = one.output().length
      one.process.kill('SIGHUP')
      await one.says(new RegExp(`^[^]{${seen},}?(?:${text.source})`), 30_000)
    }))
  }

  const [replaced, removed] = [shops[7]!, shops[9]!]
  for (let round = 0; round < 3; round++) {
    const added = shopOf(undefined, shops.length)
    changing.add(added).add(replaced).add(removed)
    shops.push(added)
    replaced.token = newToken()
    writeMerchants()
    await reload(/the file of the merchants was replaced, \d+ merchants/)
    if (round % 2 === 0) blocked.add(removed)
    else blocked.delete(removed)
    writePolicy()
    await reload(/the policy was replaced, \d+ callers/)
    t.equal(await ask(added), signatureOf(added, added.token))
    t.equal(await ask(replaced), signatureOf(replaced, replaced.token))
    if (blocked.has(removed)) t.match(await ask(removed), '401 {"error":"The API key is not known"}')
    else t.equal(await ask(removed), signatureOf(removed, removed.token))
    changing.delete(added)

    replace('merchants.json', JSON.stringify({ merchants: [{ name: 'broken', accountNumbers: ['1'], token: added.token }] }))
    await reload(/merchant \\"broken\\": accountNumbers has .*keeping the current file of the merchants/)
    t.equal(await ask(added), signatureOf(added, added.token))
    writeMerchants()
    await reload(/the file of the merchants is unchanged/)
  }
  while (state.signed < 1000) await ask(replaced)
  state.isStopped = true
  await clients
  t.strictSame(failures, [])
  for (const one of instances) {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${one.process.pid}/status`, 'utf8'))!
    t.ok(Number(kilobytes) < 150_000, `${kilobytes} kB of memory`)
    for (const { token } of shops) if (one.output().includes(token)) t.fail('a log has a token')
  }
})
