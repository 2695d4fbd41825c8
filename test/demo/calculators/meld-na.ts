import { lab, type Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'
import { meld, type LiverValues } from './meld.ts'

/** Unrounded MELD-Na points. MELD is rounded first; sodium in mmol/L counts between 125 and 137, and only above 11 points. */
export const meldNa = (values: LiverValues, sodium: number): number => {
  const points = Math.round(meld(values))
  if (points <= 11) return points
  const deficit = 137 - Math.min(Math.max(sodium, 125), 137)
  return Math.min(points + 1.32 * deficit - 0.033 * points * deficit, 40)
}

export const meldNaCalculator: Calculator = {
  id: 'meld_na',
  name: 'MELD-Na score (2016)',
  citation:
    'Kim WR, Biggins SW, Kremers WK, et al. N Engl J Med 2008;359:1018-1026; form of the 2016 OPTN policy',
  question:
    'What is the MELD-Na score in its 2016 form? Round MELD to a whole number before the sodium term. Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 31, 72)
    const values = {
      bilirubin: draw.decimal(1.4, 9.8, 1),
      creatinine: draw.decimal(0.8, 2.9, 1),
      inr: draw.decimal(1.2, 2.6, 1),
    }
    const sodium = draw.whole(123, 139)
    const { bilirubin, creatinine, inr } = values
    return {
      value: meldNa(values, sodium),
      steps: [meld(values)],
      vignettes: [
        `${Who} with alcohol-related cirrhosis and no dialysis has bilirubin ${lab(bilirubin)} mg/dL, creatinine ${lab(creatinine)} mg/dL, INR ${lab(inr)} and sodium ${sodium} mmol/L.`,
        `For the waiting list of ${who}, the coordinator enters sodium ${sodium} mmol/L, INR ${lab(inr)}, creatinine ${lab(creatinine)} mg/dL and bilirubin ${lab(bilirubin)} mg/dL. No dialysis.`,
        `${Who} with primary biliary cholangitis attends the transplant clinic: INR ${lab(inr)}, sodium ${sodium} mmol/L, bilirubin ${lab(bilirubin)} mg/dL, creatinine ${lab(creatinine)} mg/dL. ${He} is not on dialysis.`,
      ],
    }
  },
}
