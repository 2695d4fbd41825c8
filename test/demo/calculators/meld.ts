import { lab, type Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

export interface LiverValues {
  /** mg/dL */
  readonly bilirubin: number
  /** mg/dL */
  readonly creatinine: number
  readonly inr: number
}

/** Unrounded MELD points: values below 1.0 count as 1.0, creatinine above 4.0 as 4.0, the sum stays within 6 and 40. */
export const meld = ({ bilirubin, creatinine, inr }: LiverValues): number => {
  const points =
    3.78 * Math.log(Math.max(bilirubin, 1)) +
    11.2 * Math.log(Math.max(inr, 1)) +
    9.57 * Math.log(Math.min(Math.max(creatinine, 1), 4)) +
    6.43
  return Math.min(Math.max(points, 6), 40)
}

export const meldCalculator: Calculator = {
  id: 'meld',
  name: 'MELD score (without sodium)',
  citation: 'Kamath PS, Wiesner RH, Malinchoc M, et al. Hepatology 2001;33:464-470; limits as in OPTN policy',
  question:
    'What is the original MELD score, without sodium? Values below 1.0 count as 1.0. Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 34, 71)
    const bilirubin = draw.decimal(0.8, 9.5, 1)
    const creatinine = draw.decimal(0.7, 2.8, 1)
    const inr = draw.decimal(1.1, 2.7, 1)
    return {
      value: meld({ bilirubin, creatinine, inr }),
      vignettes: [
        `${Who} with cirrhosis is assessed for transplantation and is not on dialysis. Bilirubin is ${lab(bilirubin)} mg/dL, creatinine ${lab(creatinine)} mg/dL and INR ${lab(inr)}.`,
        `The hepatology clinic sees ${who} with cirrhosis. INR ${lab(inr)}, total bilirubin ${lab(bilirubin)} mg/dL, creatinine ${lab(creatinine)} mg/dL; never on dialysis.`,
        `Before a shunt for ascites, ${who} has creatinine ${lab(creatinine)} mg/dL, INR ${lab(inr)} and bilirubin ${lab(bilirubin)} mg/dL. ${He} has had no dialysis.`,
      ],
    }
  },
}
