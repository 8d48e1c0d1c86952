// What is in the file beside the script: read when it is needed.

function block(name) {
  const found = document.getElementById(name);
  return found === null ? null : JSON.parse(found.textContent);
}

const REPORT = block("report");
const PICTURES = block("pictures");
const SIDES = ["before", "after"];
const IDENTIFIER = /^picture-[0-9a-f]{64}$/;

const events = new Map();

// The events of one side of a comparison; null where the capture was not at hand.
function eventsOf(comparison, side) {
  const name = `events-${comparison.number}-${side}`;
  if (!events.has(name)) events.set(name, block(name));
  return events.get(name);
}

function comparisonOf(number) {
  events.clear();
  return { number, ...block(`comparison-${number}`) };
}

// The data URL of a picture, null where it is left out.
function pictureUrl(sha256) {
  const name = `picture-${sha256}`;
  const url = IDENTIFIER.test(name) ? block(name) : null;
  return url !== null && /^data:image\/(png|webp);base64,[A-Za-z0-9+/=]+$/.test(url) ? url : null;
}
