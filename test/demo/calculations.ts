import { csvText } from '../../cache/words/csv-text.ts'
import type { Calculator, DrawnCase } from './calculator.ts'
import { CALCULATORS } from './calculators.ts'
import { Draw } from './draw.ts'

/** Change it and every patient changes. */
const SEED = 'demo_clinical_calculations/1'

/** Items of each calculator: one of each wording. */
export const ITEMS_EACH = 3

/** Distance from a rounding tie in units of the last place asked for: other ways of rounding on the way agree. */
const MARGIN = 0.08

/** data.csv of demo_clinical_calculations. */
export const calculationsCsv = (): string =>
  `${csvText(
    ['item', 'calculator', 'note', 'question', 'correct_answer', 'citation'],
    CALCULATORS.flatMap((calculator) =>
      casesOf(calculator).map(({ vignettes, value }, index) => [
        `${calculator.id}_${index + 1}`,
        calculator.name,
        vignettes[index % vignettes.length] ?? '',
        calculator.question,
        value.toFixed(calculator.decimals),
        calculator.citation,
      ]),
    ),
  )}\n`

/** One case a wording, their answers all different. */
export const casesOf = (calculator: Calculator): readonly DrawnCase[] => {
  const draw = new Draw(`${SEED}/${calculator.id}`)
  const cases: DrawnCase[] = []
  while (cases.length < ITEMS_EACH) {
    const drawn = calculator.draw(draw, cases.length)
    const known = cases.some(
      ({ value }) => value.toFixed(calculator.decimals) === drawn.value.toFixed(calculator.decimals),
    )
    if (!known && isClear(drawn, calculator.decimals)) cases.push(drawn)
  }
  return cases
}

/** Whether no value of the case lies near a rounding tie. */
const isClear = ({ value, steps = [] }: DrawnCase, decimals: number): boolean =>
  [value * 10 ** decimals, ...steps].every((scaled) => Math.abs(scaled - Math.floor(scaled) - 0.5) >= MARGIN)
