import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../lib/network-of.ts';
import { type RateLimit, RateLimiter } from '../lib/rate-limiter.ts';
import { bearerOf, refuseTooMany, unauthorized } from './auth.ts';

/**
 * Returns a check of requests for the operator's key; it throws Problem. `strangers` limits the wrong keys of one address;
 * the right key always passes, so that nobody can lock the operator out.
 */
export function operatorCheck(
  operatorKey: string,
  steady: () => number,
  strangers: RateLimit,
): (request: FastifyRequest) => void {
  const guesses = new RateLimiter(strangers, steady);
  const expected = hash('sha256', operatorKey, 'buffer');
  return (request) => {
    const key = bearerOf(request);
    if (key !== undefined && timingSafeEqual(hash('sha256', key, 'buffer'), expected)) return;
    refuseTooMany(guesses.take(networkOf(request.ip)));
    throw unauthorized();
  };
}
