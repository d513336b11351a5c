import { existsSync, readdirSync, rmSync } from 'node:fs'

// Deletes compiled files whose source was deleted or renamed: the compiler leaves them, and tests would run them.

for (const folder of ['src', 'plugins', 'routes', 'tools', 'scripts', 'test']) {
  const compiled = existsSync(`dist/${folder}`) ? readdirSync(`dist/${folder}`, { recursive: true }) : []
  for (const name of compiled.filter(name => /\.(?:js|js\.map|d\.ts)$/.test(name))) {
    const source = `${folder}/${name.replace(/\.(?:js|js\.map|d\.ts)$/, '.ts')}`
    if (!existsSync(source)) rmSync(`dist/${folder}/${name}`)
  }
}
