/** Run in the page, beside what watch-page.js put there. */
export const loudspeakerIs = (wanted) => window.loudspeaker() > 0.01 === (wanted === 'audible');
export const layoutShift = () => window.layoutShift;
