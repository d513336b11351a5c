import cluster from 'node:cluster'

// Runs the file it is given in as many processes as PROCESSES says, all behind one port.
if (cluster.isPrimary) {
  for (let started = 0; started < Number(process.env.PROCESSES); started++) cluster.fork()
} else {
  await import(process.argv[2])
}
