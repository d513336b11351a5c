import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { commands } from '../../../tools/command-line/commands.js'
import { run } from '../../support/command-line.js'

const file = 'request.json'

/** What is typed before Tab, and what it may go on with; `file` if that is the names of files. */
const cases: ReadonlyArray<readonly [typed: string, expected: string]> = [
  ['ver', 'verify version'],
  ['diag', 'diagnose'],
  ['sign --account', '--account-number'],
  ['sign --json --tok', '--token-file'],
  ['sign --variant ', 'A B'],
  ['conformance --variant ', 'A B both'],
  ['conformance --rule x --ru', '--rule'],
  ['policy ch', 'check'],
  ['completion z', 'zsh'],
  ['help conf', 'conformance'],
  ['kcv --h', '--help'],
  ['sign --request req', file],
  ['policy check req', file],
  ['conformance -- req', file]
]

/** How each is started, without what the user's configuration does; the script's path and `cases` come after it. */
const starts = {
  bash: (program: string) => ['--norc', '-c', program, 'bash'],
  zsh: (program: string) => ['-f', '-c', program, 'zsh'],
  fish: (program: string) => ['--no-config', '-c', program]
}

/** What a shell prints that has the script for it, line by line. */
async function lines (t: Test, shell: keyof typeof starts, program: string): Promise<string[]> {
  const { code, stdout: script, stderr } = await run(['completion', shell])
  t.equal(stderr, '')
  t.equal(code, 0)
  const folder = t.testdir({ script, [file]: '' })
  const args = [...starts[shell](program), join(folder, 'script'), ...cases.map(([typed]) => typed)]
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'dumb' }
  const { stdout, stderr: said } = spawnSync(shell, args, { cwd: folder, encoding: 'utf8', env })
  t.equal(said, '')
  return stdout.split('\n')
}

const without = (shell: string): string | false => spawnSync(shell, ['-c', 'true']).status !== 0 && `${shell} is not installed`

t.test('bash', { skip: without('bash') }, async t => {
  const completed = await lines(t, 'bash', `
    source "$1"; shift
    complete -p payment-signature
    for typed; do
      read -ra COMP_WORDS <<<"payment-signature $typed"
      [[ $typed == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMPREPLY=()
      _payment_signature
      echo \${COMPREPLY[@]}
    done`)
  t.equal(completed.shift(), 'complete -o default -F _payment_signature payment-signature')
  for (const [index, [typed, expected]] of cases.entries()) {
    // Where there is no completion, bash itself goes on with files.
    t.equal(completed[index]?.split(' ').sort().join(' '), expected === file ? '' : expected, typed)
  }
})

t.test('zsh', { skip: without('zsh') }, async t => {
  // At a terminal, where Tab changes the line only if there is one completion; the line is run then, and shown.
  const completed = await lines(t, 'zsh', `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1= ; autoload -U compinit; compinit -D -u; source $1; payment-signature () { print -r -- \\"ran:\\$*:\\" }; print READ''Y"
    zpty -r shell shown '*READY*'
    shift
    for typed; do
      zpty -w -n shell "payment-signature $typed"$'\\t\\n'
      zpty -r shell shown '*ran:*:'
      shown=\${shown##*ran:}
      print -r -- "\${shown%:*}"
    done`)
  for (const [index, [typed, expected]] of cases.entries()) {
    const isOne = !expected.includes(' ')
    t.equal(completed[index], isOne ? typed.replace(/\S*$/, expected) : typed.trim(), typed)
  }
})

t.test('fish', { skip: without('fish') }, async t => {
  const completed = await lines(t, 'fish', `
    source $argv[1]
    for typed in $argv[2..]
      echo (complete -C "payment-signature $typed" | string replace -r '\\t.*' '' | sort)
    end`)
  for (const [index, [typed, expected]] of cases.entries()) t.equal(completed[index], expected, typed)
})

for (const shell of Object.keys(starts)) {
  t.test(`what ${shell} completes is every command, and each option where it belongs`, async t => {
    const { stdout } = await run(['completion', shell])
    for (const [name, { load }] of Object.entries(commands)) {
      const line = stdout.split('\n').filter(line => line.includes(name)).join('\n')
      for (const option of Object.keys((await load()).command.options)) t.match(line, option, `${name} --${option}`)
    }
  })
}

t.test('each option is in the help of its command, and nothing else is', async t => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { command: { help, options } } = await load()
    const named = [...help.matchAll(/\s--([a-z][a-z-]+)/g)].map(([, option = '']) => option)
    t.strictSame(named.filter(option => !Object.hasOwn(options, option) && option !== 'help' && option !== 'version'), [], name)
    for (const option of Object.keys(options)) t.ok(named.includes(option) || name === 'doctor', `${name} --${option}`) // which names one field's
  }
})

t.test('another shell', async t => {
  for (const args of [[], ['tcsh'], ['toString']]) {
    t.same(await run(['completion', ...args]), {
      code: 2, stdout: '', stderr: 'payment-signature: pass the name of your shell: payment-signature completion bash, zsh or fish\n', terminal: ''
    })
  }
})
