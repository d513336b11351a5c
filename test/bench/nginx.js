import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../dist/test/support/free-port.js'
import { processors } from './processors.js'

/** Starts nginx in front of servers, with a port for each. Returns the ports in the servers' order. */
export async function nginxInFrontOf (servers, scope) {
  const prefix = mkdtempSync(join(scope.testdirName, 'nginx-'))
  const ports = []
  while (ports.length < servers.length) ports.push(await freePort())
  const sites = servers.map((server, index) => `
    upstream server${index} { server 127.0.0.1:${server.port}; keepalive 64; }
    server {
      listen 127.0.0.1:${ports[index]};
      location / {
        proxy_pass http://server${index};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      }
    }`)
  writeFileSync(join(prefix, 'nginx.conf'), `daemon off; pid nginx.pid; error_log stderr error; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${kind};`).join(' ')}
  ${sites.join('')}
}`)
  const processor = processors.at(1) // of its own, where there are three
  const nginx = spawn('taskset', ['-c', processor, 'nginx', '-p', prefix, '-c', 'nginx.conf'], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` }, stdio: ['ignore', 'ignore', 'inherit']
  })
  const closed = once(nginx, 'close')
  scope.teardown(() => { nginx.kill('SIGTERM'); return closed })
  await once(nginx, 'spawn')
  const isUp = () => fetch(`http://127.0.0.1:${ports[0]}/`).then(() => true, () => false)
  while (!await isUp()) await setTimeout(10)
  return ports
}
