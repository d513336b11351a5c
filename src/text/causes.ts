/**
 * Codes that the member `cause` of the log can have, and their remedies. `docs/troubleshooting.md` has this table.
 * Codes with the same remedy share a line. Other causes are sentences.
 */
export const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at this address. Start the backend or Redis, or correct the URL.',
  'ECONNRESET, UND_ERR_SOCKET, EPIPE': 'The other side closed the connection too early. Read its log.',
  'ENOTFOUND, EAI_AGAIN': 'The host name cannot be resolved. Check the URL and the DNS.',
  'ETIMEDOUT, EHOSTUNREACH, ENETUNREACH': 'Check firewall, egress rules and routes, also those of IPv6.',
  EADDRNOTAVAIL: 'No local port is left. Let the backend keep connections open.',
  'EPROTO, ERR_SSL_WRONG_VERSION_NUMBER, HPE_INVALID_CONSTANT': 'The other side speaks another protocol. Check the port, and http or https.',
  'DEPTH_ZERO_SELF_SIGNED_CERT, SELF_SIGNED_CERT_IN_CHAIN, UNABLE_TO_GET_ISSUER_CERT_LOCALLY': 'The authority of the certificate is unknown. Name its file in NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The server must send the whole chain of its certificate (fullchain.pem).',
  CERT_HAS_EXPIRED: 'Renew the certificate, or set the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name. Use that name in the URL.',
  ERR_INVALID_CHAR: 'A header of the client has a character that cannot be passed on.',
  'authorize failed': 'The function `authorize` threw an error. The line has its stack.',
  'no answer': 'Redis did not answer within 0.5 seconds. Check its load and the network.',
  'NOAUTH, WRONGPASS': 'Correct the user and the password of REDIS_URL.',
  NOPERM: 'Grant the user of REDIS_URL the right that follows, in the form of ACL SETUSER.',
  'READONLY, MOVED, CLUSTERDOWN, unexpected answer': 'REDIS_URL must lead to the primary of a Redis without a cluster.',
  LOADING: 'Redis is starting. Wait.',
  OOM: 'The memory of Redis is full. Set maxmemory and maxmemory-policy volatile-ttl.',
  MISCONF: 'Redis cannot save its data. Check its disk, or set save "".',
  EACCES: 'The user of the service may not read or write the file. The line names the user.',
  'ENOENT, ENOTDIR, ELOOP, EISDIR': 'The path leads to no file, or to a folder, which Docker makes if a mounted file does not exist.',
  'ENOSPC, EDQUOT, EFBIG, a line was cut': 'The disk, the quota or the limit of the file is reached. Free some space.',
  EROFS: 'Mount the file system for writing.',
  EIO: 'The disk has a fault. Read the log of the kernel.',
  'EMFILE, ENFILE': 'Raise the limit of open files (LimitNOFILE, ulimit -n) or, of the machine, fs.file-max.'
}
