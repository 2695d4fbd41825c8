import { ProblemError } from '../../../cache/problems/problem.ts'

/** `rater=Reviewer,model=System`: what a table calls the columns. @throws ProblemError `cli/bad-flag` */
export const mapFlag = (text: string | undefined): ReadonlyMap<string, string> => {
  const pairs = (text ?? '').split(',').filter((part) => part.trim() !== '')
  return new Map(
    pairs.map((part) => {
      const [ours = '', theirs = '', ...rest] = part.split('=').map((each) => each.trim())
      if (ours !== '' && theirs !== '' && rest.length === 0) return [theirs, ours] as const
      throw new ProblemError({
        code: 'cli/bad-flag',
        message: `--map ${part} names no pair of columns`,
        where: { field: '--map' },
        remedy:
          'Write --map rater=Reviewer,model=System, for instance: ours first, then the name in the table.',
      })
    }),
  )
}
