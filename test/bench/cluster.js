import cluster from 'node:cluster'

// Starts processes of the service that share a port.

cluster.setupPrimary({ exec: process.env.SERVER })
cluster.schedulingPolicy = cluster.SCHED_NONE
for (let count = Number(process.env.PROCESSES); count > 0; count--) cluster.fork()
