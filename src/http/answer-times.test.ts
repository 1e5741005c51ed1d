import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AnswerTimes } from './answer-times.ts';

it("writes Prometheus's format, and each change since", () => {
  const times = new AnswerTimes();
  times.observe('/page/team', 200, 0.004);
  times.observe('/a"b\\', 404, 60);
  assert.match(times.text(), /^tocsin_http_answers_total\{route="\/page\/team",status="200"\} 1$/m);
  times.observe('/page/team', 200, 0.004);
  times.observe('/page/team', 400, 0.5);
  const lines = times.text().split('\n');
  const has = (line: string) => assert.ok(lines.includes(line), line);
  has('# TYPE tocsin_http_answer_seconds histogram');
  has('tocsin_http_answers_total{route="/page/team",status="200"} 2');
  has('tocsin_http_answers_total{route="/page/team",status="400"} 1');
  has('tocsin_http_answers_total{route="/a\\"b\\\\",status="404"} 1');
  has('tocsin_http_answer_seconds_bucket{le="0.0025",route="/page/team"} 0');
  has('tocsin_http_answer_seconds_bucket{le="0.005",route="/page/team"} 2');
  has('tocsin_http_answer_seconds_bucket{le="1",route="/page/team"} 3');
  has('tocsin_http_answer_seconds_bucket{le="30",route="/a\\"b\\\\"} 0');
  has('tocsin_http_answer_seconds_bucket{le="+Inf",route="/a\\"b\\\\"} 1');
  has('tocsin_http_answer_seconds_sum{route="/page/team"} 0.508');
  has('tocsin_http_answer_seconds_count{route="/page/team"} 3');
  assert.equal(lines.at(-1), '');
});
