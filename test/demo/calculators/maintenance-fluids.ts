import type { Calculator } from '../calculator.ts'
import { capitalised } from '../person.ts'

/** mL/h: 4 a kg for the first 10 kg of body weight, 2 for the next 10, 1 beyond. */
export const maintenanceFluids = (weight: number): number =>
  4 * Math.min(weight, 10) + 2 * Math.min(Math.max(weight - 10, 0), 10) + Math.max(weight - 20, 0)

const CHILDREN = [
  ['an 8-month-old infant', 7],
  ['an 11-month-old infant', 9],
  ['a 2-year-old child', 13],
  ['a 4-year-old child', 16],
  ['a 5-year-old child', 19],
  ['a 7-year-old child', 24],
  ['a 9-year-old child', 28],
  ['an 11-year-old child', 37],
] as const

export const maintenanceFluidsCalculator: Calculator = {
  id: 'maintenance_fluids',
  name: 'Maintenance fluids (4-2-1 rule)',
  citation: 'Holliday MA, Segar WE. Pediatrics 1957;19:823-832, in its hourly form',
  question: 'What is the maintenance fluid rate by the 4-2-1 rule in mL per hour? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const [who, weight] = draw.pick(CHILDREN)
    return {
      value: maintenanceFluids(weight),
      vignettes: [
        `${capitalised(who)} who weighs ${weight} kg fasts before an operation and needs intravenous maintenance fluids.`,
        `The children's ward admits ${who} who cannot drink because of a chest infection. The weight on admission is ${weight} kg.`,
        `${capitalised(who)} of ${weight} kg has had an appendix removed and may not eat or drink until tomorrow.`,
      ],
    }
  },
}
