import { lab, type Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

type Degree = 0 | 1 | 2

/** Points from 5 to 15. Bilirubin in mg/dL, albumin in g/dL; degree 0 none, 1 mild (grade 1–2), 2 more (grade 3–4). */
export const childPugh = (patient: {
  bilirubin: number
  albumin: number
  inr: number
  ascites: Degree
  encephalopathy: Degree
}): number => {
  const bilirubin = band(patient.bilirubin, 2, 3)
  // Low albumin is what counts, so its bands run the other way.
  const albumin = band(-patient.albumin, -3.5, -2.8)
  const inr = band(patient.inr, 1.7, 2.3)
  return bilirubin + albumin + inr + (patient.ascites + 1) + (patient.encephalopathy + 1)
}

/** 1 below `low`, 2 from `low` to `high`, 3 above. */
const band = (value: number, low: number, high: number): number => (value < low ? 1 : value > high ? 3 : 2)

const ASCITES = ['no ascites', 'slight ascites', 'tense ascites'] as const
const ENCEPHALOPATHY = ['no encephalopathy', 'grade 1 encephalopathy', 'grade 3 encephalopathy'] as const
const DEGREES: readonly Degree[] = [0, 1, 2]

export const childPughCalculator: Calculator = {
  id: 'child_pugh',
  name: 'Child–Pugh score',
  citation: 'Pugh RNH, Murray-Lyon IM, Dawson JL, et al. Br J Surg 1973;60:646-649; INR for prothrombin time',
  question:
    'How many points is the Child–Pugh score, with INR bands below 1.7, 1.7 to 2.3 and above 2.3? Give a whole number from 5 to 15.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 38, 74)
    const bilirubin = draw.pick([1.1, 1.6, 2.4, 2.7, 3.8, 5.2])
    const albumin = draw.pick([2.3, 2.6, 3, 3.2, 3.8, 4.1])
    const inr = draw.pick([1.2, 1.5, 1.9, 2.1, 2.6])
    const ascites = draw.pick(DEGREES)
    const encephalopathy = draw.pick(DEGREES)
    return {
      value: childPugh({ bilirubin, albumin, inr, ascites, encephalopathy }),
      vignettes: [
        `${Who} with cirrhosis is seen before endoscopy. ${He} has ${ASCITES[ascites]} and ${ENCEPHALOPATHY[encephalopathy]}. Bilirubin is ${lab(bilirubin)} mg/dL, albumin ${lab(albumin)} g/dL and INR ${lab(inr)}.`,
        `Liver clinic: ${who} with ${ENCEPHALOPATHY[encephalopathy]} and ${ASCITES[ascites]}; albumin ${lab(albumin)} g/dL, bilirubin ${lab(bilirubin)} mg/dL, INR ${lab(inr)}.`,
        `${Who} is reviewed on the liver ward. INR is ${lab(inr)}, bilirubin ${lab(bilirubin)} mg/dL, albumin ${lab(albumin)} g/dL. Examination shows ${ASCITES[ascites]} and ${ENCEPHALOPATHY[encephalopathy]}.`,
      ],
    }
  },
}
