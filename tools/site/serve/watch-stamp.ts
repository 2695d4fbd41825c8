const INTERVAL = 1000

/**
 * Looks once a second whether `stamp` gives something else than `known`, and calls `onNew` once it has stayed so for
 * another look: files may still be being written. What `onNew` throws goes to `onError`, once for each news.
 */
export const watchStamp = (
  stamp: () => Promise<string>,
  known: string,
  { onNew, onError }: { readonly onNew: () => Promise<void>; readonly onError: (error: unknown) => void },
): { readonly close: () => Promise<void> } => {
  let [shown, last] = [known, known]
  const look = async (): Promise<void> => {
    const now = await stamp()
    if (now !== '' && now === last && now !== shown) {
      shown = now
      await onNew()
    }
    last = now
  }
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch(onError)
  }, INTERVAL)
  return {
    close: async () => {
      clearInterval(timer)
      await looking
    },
  }
}
