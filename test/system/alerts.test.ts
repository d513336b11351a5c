import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

const folder = join(root, 'deploy/prometheus')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, encoding: 'utf8' })

/** Returns the alert names of a text, each once and in its order. */
const namesIn = (text: string, pattern: RegExp): string[] => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))]
const alerts = namesIn(read('alerts.yaml'), /alert: (PaymentSignature\w+)/g)

t.test('the rules are valid, and do in each situation what it says', { skip: lacking('promtool') }, async t => {
  for (const command of ['check', 'test']) {
    const { status, stdout, stderr } = run('promtool', command, 'rules', command === 'check' ? 'alerts.yaml' : 'alerts.test.yaml')
    t.equal(status, 0, stdout + stderr)
  }
  t.strictSame(namesIn(read('alerts.test.yaml'), /alertname: (PaymentSignature\w+)/g).sort(), [...alerts].sort(), 'each alert has situations')
})

t.test('each alert has a section of at most eight lines in the runbook', async t => {
  const [, runbook = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('\n## Alerts\n')
  const sections = runbook.split(/\n## /)[0]!.split(/^### /m).slice(1).map(text => text.trim().split('\n'))
  t.strictSame(sections.map(([title]) => title), alerts)
  for (const [title, , ...lines] of sections) t.ok(lines.length <= 8, `${title}: ${lines.length} lines`)
})

t.test('Alertmanager pages what is critical, also without a label, and links to the runbook', { skip: lacking('amtool') }, async t => {
  const text = read('alertmanager.yaml')
  t.equal(run('amtool', 'check-config', 'alertmanager.yaml').status, 0)
  for (const [labels, receiver] of [
    [['severity=critical'], 'pager'], [['severity=critical', 'environment=production'], 'pager'],
    [['severity=critical', 'environment=staging'], 'mail'], [['severity=warning'], 'mail']
  ] as const) {
    const { stdout } = run('amtool', 'config', 'routes', 'test', '--config.file=alertmanager.yaml', ...labels)
    t.equal(stdout.trim(), receiver, labels.join())
  }
  const { inhibit_rules: rules, receivers } = parse(text) as {
    inhibit_rules: Array<Record<'source_matchers' | 'target_matchers', string[]>>
    receivers: Array<{ email_configs: Array<{ text: string }> }>
  }
  for (const { source_matchers: source } of rules) t.ok(source.includes('severity = critical'), 'a warning inhibits nothing')
  const groups = rules.flatMap(({ source_matchers: source, target_matchers: target }) => [...source, ...target])
    .flatMap(matcher => /PaymentSignature\((.+)\)/.exec(matcher)?.[1]?.split('|') ?? [])
  t.ok(groups.length > 10)
  t.strictSame(groups.filter(name => !alerts.includes(`PaymentSignature${name}`)), [], 'each name is an alert')
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const link = `https://github.com/${repository.replace('github:', '')}/blob/main/docs/operations.md#{{ .Labels.alertname | toLower }}`
  t.match(receivers[0]?.email_configs[0]?.text, link)
})
