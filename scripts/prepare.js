import { execSync } from 'node:child_process'

// npm also runs this script after `npm ci` in a clone, where INIT_CWD is the clone. Only installations from git build.
if (process.env.INIT_CWD !== process.cwd()) execSync('npm run --silent build && npx tsc -p scripts/types.json && npx tsc -p client', { stdio: 'inherit' })
