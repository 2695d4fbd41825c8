import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** mOsm/kg; sodium in mmol/L, glucose and urea nitrogen in mg/dL. */
export const serumOsmolality = (sodium: number, glucose: number, ureaNitrogen: number): number =>
  2 * sodium + glucose / 18 + ureaNitrogen / 2.8

export const serumOsmolalityCalculator: Calculator = {
  id: 'serum_osmolality',
  name: 'Calculated serum osmolality',
  citation: 'Worthley LIG, Guerin M, Pain RW. Anaesth Intensive Care 1987;15:199-202',
  question:
    'What is the calculated serum osmolality in mOsm/kg, as twice the sodium plus glucose/18 plus blood urea nitrogen/2.8? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 31, 85)
    const sodium = draw.whole(122, 152)
    const glucose = draw.whole(78, 640)
    const ureaNitrogen = draw.whole(8, 62)
    return {
      value: serumOsmolality(sodium, glucose, ureaNitrogen),
      vignettes: [
        `${Who} is confused and very thirsty. Sodium is ${sodium} mmol/L, glucose ${glucose} mg/dL and blood urea nitrogen ${ureaNitrogen} mg/dL.`,
        `To work out an osmolal gap, the laboratory reports for ${who}: blood urea nitrogen ${ureaNitrogen} mg/dL, glucose ${glucose} mg/dL, sodium ${sodium} mmol/L.`,
        `${Who} is admitted from a nursing home. ${He} has a glucose of ${glucose} mg/dL, a sodium of ${sodium} mmol/L and a blood urea nitrogen of ${ureaNitrogen} mg/dL.`,
      ],
    }
  },
}
