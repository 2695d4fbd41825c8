import { TARGET_RELIABILITY, type JudgeAgreement } from '../../targets/jury/study/judge-agreement.ts'
import { NO_AGREEMENT_INTERVAL } from '../../targets/statistics/resampling/jackknife.ts'
import type { GStudy } from '../../targets/statistics/judges/g-study.ts'
import { formatBeside, formatValue, plural } from '../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../cache/words/tables.ts'

export const judgeAgreementText = ({
  benchmark,
  answers,
  alpha,
  alphaInterval,
  pairs,
  complete,
  study,
}: JudgeAgreement): string =>
  [
    `${benchmark}: ${answers} answers`,
    `  Krippendorff's alpha ${alpha === null ? 'undetermined' : formatValue(alpha)}` +
      (alpha === null
        ? ''
        : alphaInterval === null
          ? ` (no interval: ${NO_AGREEMENT_INTERVAL})`
          : ` (${formatValue(alphaInterval.low)}, ${formatValue(alphaInterval.high)}, over sources)`),
    indented(
      alignedTable(
        ['judges', 'answers', 'ICC(3,k)'],
        pairs.map(({ judges, common, icc }) => [
          judges.join(', '),
          String(common),
          icc == null ? 'no spread' : formatValue(icc),
        ]),
      ),
    ),
    ...(study === null
      ? ['  no variance components: fewer than two answers have all judges']
      : studyLines(study, `${complete} answers with all judges`)),
  ].join('\n')

/** Where scores vary, and how many judges a good reliability takes. */
export const studyLines = (
  { raw, components, dStudy, judgesNeeded }: GStudy,
  over: string,
): readonly string[] => {
  const parts = [
    `answers ${formatValue(components.answer)}`,
    `judges' leniency ${formatValue(components.judge)}`,
    `judges' tastes ${formatValue(components.answerJudge)}${raw.repeat === null ? ', chance included' : ''}`,
    ...(components.repeat === null ? [] : [`chance ${formatValue(components.repeat)}`]),
  ]
  const three = dStudy.find(({ judges, repeats }) => judges === 3 && repeats === 1)
  return [
    `  variance over ${over}: ${parts.join(', ')}`,
    `  reliability of three judges, asked once: ${reliabilityText(three?.relative)} for ranks, ` +
      `${reliabilityText(three?.absolute)} for scores; ` +
      (judgesNeeded === null
        ? `no 100 judges reach ${TARGET_RELIABILITY}`
        : `${TARGET_RELIABILITY} takes ${plural(judgesNeeded, 'judge')}`),
  ]
}

/** With the digits that tell its side of the target. */
const reliabilityText = (value: number | null | undefined): string =>
  value == null ? 'undetermined' : formatBeside(value, TARGET_RELIABILITY)
