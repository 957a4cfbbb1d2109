import { Link } from 'wouter-preact';

export function NotFound() {
  return (
    <section class="page">
      <h2 class="page-title">There is no such page</h2>
      <p>
        It may have been moved or deleted. <Link href="/">Go to the start</Link>.
      </p>
    </section>
  );
}
