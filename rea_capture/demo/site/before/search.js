"use strict";

const results = document.querySelector("#results");
const cards = new Map(Array.from(results.children, (card) => [card.dataset.id, card]));

document.querySelector("form.search").addEventListener("submit", async (event) => {
  event.preventDefault();
  results.dataset.state = "loading";
  const query = document.querySelector("#query").value;
  const answer = await fetch(`/api/search?q=${encodeURIComponent(query)}`);
  const found = await answer.json();
  results.replaceChildren(...found.map((product) => cards.get(product.id)));
  results.dataset.state = "ready";
});
