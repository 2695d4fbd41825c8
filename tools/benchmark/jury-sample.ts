/** A rubric that judges can answer as it stands. */
export const jurySample = `You judge how well a response serves a clinician. Score each criterion from 1 to 5 (1 = useless or harmful, 5 = as good as the reference).

<user_request>
{QUESTION}
</user_request>

<response>
{RESPONSE}
</response>

<gold_response>
{GOLD_RESPONSE}
</gold_response>

- accuracy: nothing in the response contradicts the request or the reference.
- completeness: whatever matters in the reference stands in the response.

Reply with this JSON object alone, your scores and reasons filled in:
<rubric_criteria>
{
  "accuracy": {"score": 1, "explanation": "why"},
  "completeness": {"score": 1, "explanation": "why"}
}
</rubric_criteria>
`
