/**
 * Has the process end by SIGHUP itself: where its terminal is gone, Node aborts at an exit of its own, and what it held in
 * memory may be dumped to a file.
 */
export const endByHangup = (): void => {
  process.once('exit', () => {
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}
