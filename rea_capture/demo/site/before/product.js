"use strict";

const product = document.querySelector("#product");

document.querySelector("#add").addEventListener("click", () => {
  const cart = JSON.parse(localStorage.getItem("cart") ?? "{}");
  cart[product.dataset.id] = (cart[product.dataset.id] ?? 0) + 1;
  localStorage.setItem("cart", JSON.stringify(cart));
  document.querySelector("#added").textContent = "In your cart.";
});
