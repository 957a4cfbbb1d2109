import MiniSearch from 'minisearch';

const MOST_FOUND = 12;
const EXCERPT_CHARS = 160;
const { root } = document.currentScript.dataset;
const input = document.getElementById('search');
const results = document.getElementById('results');
const found = document.getElementById('found');

/** Loaded when somebody wants to search. */
let index;
const load = () => {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}/sections.js`;
    script.onload = () => {
      const search = new MiniSearch({
        fields: ['heading', 'page', 'text'],
        storeFields: ['heading', 'page', 'text'],
        searchOptions: {
          boost: { heading: 4, page: 2 },
          prefix: true,
          fuzzy: 0.15,
          combineWith: 'AND',
        },
      });
      search.addAll(window.docsSections);
      resolve(search);
    };
    script.onerror = reject;
    document.head.append(script);
  });
  return index;
};

const excerptOf = ({ text, terms }) => {
  const low = text.toLowerCase();
  const at = Math.max(0, Math.min(...terms.map((term) => low.indexOf(term)).filter((i) => i >= 0)));
  const from = Number.isFinite(at) ? Math.max(0, at - EXCERPT_CHARS / 3) : 0;
  return text.slice(from, from + EXCERPT_CHARS).trim();
};

const show = async () => {
  const wanted = input.value.trim();
  const hits = wanted === '' ? [] : (await load()).search(wanted);
  // What was typed meanwhile is searched for by its own event.
  if (wanted !== input.value.trim()) return;
  found.textContent = wanted === '' ? '' : `${hits.length} found`;
  results.replaceChildren(
    ...hits.slice(0, MOST_FOUND).map((hit) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = `${root}/${hit.id}`;
      link.textContent = hit.page === hit.heading ? hit.page : `${hit.page}: ${hit.heading}`;
      const excerpt = document.createElement('p');
      excerpt.textContent = excerptOf(hit);
      item.append(link, excerpt);
      return item;
    }),
  );
};

input.addEventListener('focus', load);
input.addEventListener('input', show);
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') results.querySelector('a')?.click();
  if (event.key !== 'Escape') return;
  input.value = '';
  void show();
});
results.addEventListener('click', () => results.replaceChildren());
