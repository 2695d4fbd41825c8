import { lab, type Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** mg/dL; calcium in mg/dL, albumin in g/dL with 4.0 as its normal value. */
export const correctedCalcium = (calcium: number, albumin: number): number => calcium + 0.8 * (4 - albumin)

export const correctedCalciumCalculator: Calculator = {
  id: 'corrected_calcium',
  name: 'Calcium corrected for albumin (Payne)',
  citation: 'Payne RB, Little AJ, Williams RB, Milner JR. BMJ 1973;4:643-646',
  question:
    'What is the serum calcium corrected for albumin in mg/dL, adding 0.8 mg/dL for each 1 g/dL of albumin below 4.0 g/dL? Give one decimal.',
  decimals: 1,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 35, 87)
    const calcium = draw.decimal(7.1, 9.6, 1)
    const albumin = draw.decimal(1.8, 3.6, 1)
    return {
      value: correctedCalcium(calcium, albumin),
      vignettes: [
        `${Who} with nephrotic syndrome has a total serum calcium of ${lab(calcium)} mg/dL and an albumin of ${lab(albumin)} g/dL.`,
        `Bloods on the oncology ward for ${who}: total calcium ${lab(calcium)} mg/dL, albumin ${lab(albumin)} g/dL, phosphate normal.`,
        `${Who} has eaten poorly for weeks. ${He} has an albumin of ${lab(albumin)} g/dL and a total calcium of ${lab(calcium)} mg/dL.`,
      ],
    }
  },
}
