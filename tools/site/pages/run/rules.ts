import { anything, limit, oneOf, type AddressRules } from '../../address-rules.ts'
import { isEnd } from './select-rows.ts'
import { PAGE_SIZES, type PageState } from './state.ts'

/** What requests of a run can be told apart by. */
interface RequestKinds {
  /** Whether one score is that of a wrong answer. */
  readonly hasWrong: boolean
  /** Whether judges differ on any. */
  readonly isApart: boolean
}

/** What an address may ask of a run; whether an instance or a page is there is told where it is looked for. */
export const runRules = ({ hasWrong, isApart }: RequestKinds): AddressRules<PageState> => {
  const shows = new Set([
    'all',
    'failed',
    'flagged',
    ...(hasWrong ? ['wrong'] : []),
    ...(isApart ? ['apart'] : []),
  ])
  const orders = new Set(['order', 'low', 'high', ...(isApart ? ['apart'] : [])])
  return {
    show: oneOf('choice', (text) => shows.has(text)),
    apart: limit(isEnd),
    from: limit(isEnd),
    to: limit(isEnd),
    q: anything,
    sort: oneOf('order', (text) => orders.has(text)),
    page: anything,
    size: oneOf('page size', (text) => PAGE_SIZES.some((each) => each === text)),
    instance: anything,
    trial: anything,
  }
}
