process.on('SIGHUP', () => {}) // before the slow imports: a closed terminal or a reload must not end the service
await import('./service.js')
