export interface Queue {
  size(): number
  add(start: () => void): void
  next(): (() => void) | undefined
}

/** First in, first out. Taken ones are dropped in bulk: shifting a long array each time would cost its length. */
export const createQueue = (): Queue => {
  let items: (() => void)[] = []
  let head = 0
  return {
    size: () => items.length - head,
    add: (start) => void items.push(start),
    next: () => {
      const start = items[head]
      head += 1
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head)
        head = 0
      }
      return start
    },
  }
}
