import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** Best response first: the last scores 1, the one before 2, and so on. */
export const EYES = [
  'opens the eyes spontaneously',
  'opens the eyes when spoken to',
  'opens the eyes to pressure on a nail bed only',
  'does not open the eyes at all',
] as const
export const VERBAL = [
  'is orientated in conversation',
  'answers in sentences but is confused',
  'says single words that make no sense together',
  'only groans',
  'makes no sound',
] as const
export const MOTOR = [
  'obeys commands',
  'brings a hand up to the source of pain',
  'pulls the arm away from pain in normal flexion',
  'flexes abnormally to pain',
  'extends the arms to pain',
  'does not move to pain',
] as const

/** Points from 3 to 15 of one response of each list, counted from the best, which is 0. */
export const glasgowComaScale = (eyes: number, verbal: number, motor: number): number =>
  EYES.length - eyes + (VERBAL.length - verbal) + (MOTOR.length - motor)

export const glasgowComaScaleCalculator: Calculator = {
  id: 'glasgow_coma_scale',
  name: 'Glasgow Coma Scale',
  citation: 'Teasdale G, Jennett B. Lancet 1974;2:81-84; motor response in six levels',
  question: 'What is the Glasgow Coma Scale total? Give a whole number from 3 to 15.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 19, 83)
    // Someone who talks in sentences is awake and moves with purpose; the drawn patient stays believable.
    const verbal = draw.whole(0, 4)
    const eyes = verbal <= 1 ? draw.whole(0, 1) : draw.whole(1, 3)
    const motor = verbal <= 1 ? draw.whole(0, verbal) : draw.whole(1, 5)
    return {
      value: glasgowComaScale(eyes, verbal, motor),
      vignettes: [
        `${Who} fell from a ladder. ${He} ${EYES[eyes]}, ${VERBAL[verbal]} and ${MOTOR[motor]}.`,
        `The ambulance brings ${who} after a car crash. ${He} ${MOTOR[motor]}, ${EYES[eyes]} and ${VERBAL[verbal]}.`,
        `${Who} is found at home after a seizure. On arrival ${He.toLowerCase()} ${VERBAL[verbal]}, ${MOTOR[motor]} and ${EYES[eyes]}.`,
      ],
    }
  },
}
