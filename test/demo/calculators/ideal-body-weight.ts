import type { Calculator } from '../calculator.ts'
import { drawPerson, type Sex } from '../person.ts'

/** kg; height in cm, at least 152.4 (60 inches). */
export const idealBodyWeight = (height: number, sex: Sex): number =>
  (sex === 'female' ? 45.5 : 50) + 2.3 * (height / 2.54 - 60)

export const idealBodyWeightCalculator: Calculator = {
  id: 'ideal_body_weight',
  name: 'Ideal body weight (Devine)',
  citation: 'Devine BJ. Drug Intell Clin Pharm 1974;8:650-655',
  question:
    'What is the ideal body weight by the Devine formula in kg (1 inch is 2.54 cm)? Give one decimal.',
  decimals: 1,
  draw: (draw) => {
    const { sex, who, Who, He } = drawPerson(draw, 22, 81)
    const height = draw.whole(154, 194)
    const weight = draw.whole(52, 121)
    return {
      value: idealBodyWeight(height, sex),
      vignettes: [
        `${Who} is intubated for pneumonia, and the team sets a lung-protective tidal volume. ${He} measures ${height} cm and weighs ${weight} kg.`,
        `Gentamicin is to be dosed for ${who}: height ${height} cm, measured weight ${weight} kg.`,
        `Before a long operation the anaesthetist sees ${who}. Height is ${height} cm, actual weight ${weight} kg.`,
      ],
    }
  },
}
