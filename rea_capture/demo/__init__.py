"""A small shop to try the toolkit on: capture it, "deploy" a change, capture it again, compare.

``python -m rea_capture.demo`` runs the whole story. The shop is plain files under ``site/``: ``before``
is the whole shop, ``deployed`` holds only the files that the deploy replaces, so reading that folder
is reading what a comparison has to find.

    shop      serves the files on loopback
    tour      the scenario: a customer signs in, searches, and fills a cart
    story     capture, deploy, capture, compare
    words     what the verdict rests on, in words

Below: the package's public interface, as any caller uses it; the contracts, whose records ``words``
reads; and ``browser.discovery``, which finds a browser. Above: nothing.
"""
