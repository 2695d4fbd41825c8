/** Two criteria, each with its anchors. */
export const RUBRIC = `Judge the answer from 1 to 5 (1 = poor, 5 = excellent).
{QUESTION}
{RESPONSE}

Accuracy (1-5)
- Is everything in it true?

Clarity (1-5)
- Is it easy to read?

<rubric_criteria>
{"accuracy": {"score": 0, "explanation": "why"}, "clarity": {"score": 0, "explanation": "why"}}
</rubric_criteria>
`
