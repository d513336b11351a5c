interface Report {
  /** Missing on Windows. */
  userLimits?: { open_files: { soft: number | 'unlimited' } }
}

/** What Node.js knows of its process, without the names of its peers, each of which it would ask the DNS for. */
function reportOf ({ report }: NodeJS.Process): Report {
  const settings = report as typeof report & { excludeNetwork: boolean } // @types/node 20 does not know it yet
  const { excludeNetwork } = settings
  settings.excludeNetwork = true
  try {
    return settings.getReport() as Report
  } finally {
    settings.excludeNetwork = excludeNetwork
  }
}

/** The report of the first call: it takes milliseconds, and the limits do not change. */
let ownReport: Report | undefined

/** Returns how many file descriptors this process may have open, connections included. Default: Infinity. */
export function descriptorLimit (report = ownReport ??= reportOf(process)): number {
  const soft = report.userLimits?.open_files.soft
  return typeof soft === 'number' ? soft : Infinity
}
