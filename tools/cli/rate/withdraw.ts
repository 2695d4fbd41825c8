import { plural } from '../../../cache/words/number-text.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { claimRater } from '../../ratings/rating-log.ts'
import { createRatingVault } from '../../ratings/rating-vault.ts'
import { openLog } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { badFlag, countFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { CONSENSUS } from '../../../targets/ratings/study.ts'
import { safeName } from '../../ratings/safe-name.ts'
import { raterFlag } from './serve.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate withdraw --rater R`: deletes scores and comments of a rater, or of one item; that they were given stays. */
export const rateWithdraw = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  const study = studyFlag(flags, workspace.root)
  const named = raterFlag(flags)
  if (named === undefined)
    throw badFlag('--rater', 'nothing says whose ratings to take back', 'Add --rater NAME, or --consensus.')
  const rater = named === CONSENSUS ? named : safeName(named, '--rater')
  const item = countFlag(flags, 'item')
  return withSession(invocation, { workspace }, async (session) => {
    const claim = await claimRater(session, study, rater)
    try {
      const log = openLog(workspace.root, study, rater)
      const gone = log.events.filter(
        ({ content, order, practice }) =>
          content !== null && (item === undefined || (order === item && practice !== true)),
      )
      if (gone.length === 0) throw nothingThere(rater, item)
      const vault = createRatingVault(session.vault)
      for (const { id, content } of gone) if (content?.comment === true) await vault.dropComment(id)
      log.withdraw(gone, `${new Date(session.env.now()).toISOString().slice(0, 19)}Z`)
      print(
        `withdrawn: ${plural(gone.length, 'event')} of ${rater}. Scores and comments are deleted; that they were given stays.${rater === CONSENSUS ? '' : BOARDS}`,
      )
      return EXIT.done
    } finally {
      await claim.release()
    }
  })
}

const BOARDS = ' Boards rest on them until `medmake jury calibrate` and `medmake agreement` are run again.'

const nothingThere = (rater: string, item: number | undefined): ProblemError =>
  new ProblemError({
    code: 'ratings/nothing-to-withdraw',
    message: `${rater} has given no rating${item === undefined ? '' : ` of item ${item}`}`,
    where: { field: item === undefined ? '--rater' : '--item' },
    remedy: '`medmake rate log` lists what was given.',
  })
