/** The script of a thread that answers one question about the holidays of countries and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { allCountries, type CountryQuestion, daysOf } from './country-days.ts';

const question = workerData as CountryQuestion;
parentPort?.postMessage(
  question.kind === 'countries'
    ? allCountries()
    : daysOf(question.place, question.years.first, question.years.last),
);
